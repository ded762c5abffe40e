/** Unit tests of the page's plain TypeScript: they run in Node.js, without a browser. */
import { defineConfig } from "vitest/config"

export default defineConfig({ test: { include: ["tests/**/*.test.ts"], environment: "node", setupFiles: ["tests/support/browser_globals.ts"] } })
