// The download button saves the notebook rather than showing its source in a new tab.
document.addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll("a.btn-download-source-button").forEach((link) => {
    link.download = "";
    link.removeAttribute("target");
  });
  // What scrolls sideways (long code, wide tables and formulas) can be reached with the keyboard.
  document.querySelectorAll("pre, .table-wrapper, .pst-scrollable-table-container, div.math").forEach((block) => {
    if (block.scrollWidth > block.clientWidth) block.tabIndex = 0;
  });
});
