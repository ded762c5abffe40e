/**
 * The linter's rules for the page: the strict set of typescript-eslint, which knows types.
 *
 * Options, and why:
 *   - A number may stand in a template and beside a string: it is written as people expect.
 *   - An arrow function of one expression may call something that returns nothing, as event handlers do.
 *   - A text may be spread: rows of glyphs are split into code points on purpose.
 *   - A parameter that is not used begins with an underscore.
 */
import { defineConfig } from "eslint/config"
import tseslint from "typescript-eslint"

export default defineConfig({
  files: ["src/**/*.{ts,tsx}", "tests/**/*.ts", "*.ts"],
  extends: [tseslint.configs.strictTypeChecked],
  languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
  linterOptions: { reportUnusedDisableDirectives: "error" },
  rules: {
    "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true, ignoreVoidOperator: true }],
    "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
    "@typescript-eslint/restrict-plus-operands": ["error", { allowNumberAndString: true }],
    "@typescript-eslint/no-misused-spread": ["error", { allow: ["string"] }],
    "@typescript-eslint/no-unused-vars": ["error", { argsIgnorePattern: "^_", ignoreRestSiblings: true }],
    "@typescript-eslint/switch-exhaustiveness-check": "error",
    eqeqeq: "error",
    "no-console": "error",
  },
})
