// The download button saves the notebook rather than showing its source in a new tab.
document.addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll("a.btn-download-source-button").forEach((link) => {
    link.download = "";
    link.removeAttribute("target");
  });
  // A picture more than twice as wide as high holds panels side by side; phones show it larger than their screen.
  document.querySelectorAll(".bd-article .cell_output img, .bd-article figure img").forEach((picture) => {
    const judge = () => {
      if (picture.naturalWidth < 2 * picture.naturalHeight) return;
      picture.classList.add("panels");
      picture.parentElement.classList.add("scroll-panels");
      if (picture.parentElement.scrollWidth > picture.parentElement.clientWidth) picture.parentElement.tabIndex = 0;
    };
    if (picture.complete) judge();
    else picture.addEventListener("load", judge);
  });
  // What scrolls sideways (long code, wide tables and formulas) can be reached with the keyboard.
  document.querySelectorAll("pre, .table-wrapper, .pst-scrollable-table-container, div.math").forEach((block) => {
    if (block.scrollWidth > block.clientWidth) block.tabIndex = 0;
  });
});
