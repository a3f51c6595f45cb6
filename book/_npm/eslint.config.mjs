// What `make lint` asks of the JavaScript of the live figures.
export default [{
  files: ["**/*.js", "**/*.mjs"],
  languageOptions: { ecmaVersion: 2023, sourceType: "module" },
  linterOptions: { reportUnusedDisableDirectives: "error" },
  rules: {
    eqeqeq: "error", "no-var": "error", "prefer-const": ["error", { destructuring: "all" }], "no-unused-vars": "error",
    "no-shadow": "error", "no-self-compare": "error", "no-unreachable-loop": "error", "array-callback-return": "error",
    "no-constant-condition": "error", "no-dupe-keys": "error", "no-fallthrough": "error", "use-isnan": "error",
    "no-sparse-arrays": "error", "no-unsafe-negation": "error", "no-loss-of-precision": "error", "no-eval": "error",
    "no-implied-eval": "error",
    "no-restricted-syntax": ["error", {
      selector: "Literal[value=/^https?:/]:not([value=/w3.org/])", message: "A figure asks nothing of another host.",
    }],
  },
}];
