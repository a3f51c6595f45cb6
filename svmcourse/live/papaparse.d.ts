declare module "papaparse" { // of its package, what is used here
  const Papa: { parse: import("./table.js").Parse };
  export default Papa;
}
