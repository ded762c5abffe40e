/**
 * Builds the page into src/undercroft/studio/static/, from where the server serves it and the wheel takes it.
 *
 * The files have fixed names: the server says "no-cache", and a page that is served from the same machine gains nothing from hashes.
 */
import { build, context } from "esbuild"
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"
import { licences } from "./licences.mjs"

const here = dirname(fileURLToPath(import.meta.url))
const out = process.env.STUDIO_OUT ?? join(here, "..", "src", "undercroft", "studio", "static")
const watching = process.argv.includes("--watch")
const LARGEST = 400_000

const options = {
  absWorkingDir: here,
  entryPoints: { page: "src/main.tsx", style: "src/styles/index.css" },
  outdir: out,
  bundle: true,
  format: "esm",
  target: ["es2022"],
  jsx: "automatic",
  jsxImportSource: "preact",
  minify: !watching,
  sourcemap: watching ? "linked" : false,
  loader: { ".woff2": "file" },
  assetNames: "[name]",
  legalComments: "none",
  logLevel: "info",
  plugins: [licences],
}

if (watching) {
  mkdirSync(out, { recursive: true })
  cpSync(join(here, "index.html"), join(out, "index.html"))
  await (await context(options)).watch()
} else {
  // Built beside and then put in place file by file, so that a server which runs meanwhile never misses one.
  mkdirSync(dirname(out), { recursive: true })
  const fresh = mkdtempSync(out + "-")
  try {
    cpSync(join(here, "index.html"), join(fresh, "index.html"))
    await build({ ...options, outdir: fresh })
    const sizes = readdirSync(fresh, { withFileTypes: true }).filter((file) => file.isFile()).map((file) => [file.name, gzipSync(readFileSync(join(fresh, file.name)), { level: 9 }).length])
    const total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0)
    for (const [name, bytes] of sizes) console.log(`${String(bytes).padStart(9)} bytes gzipped  ${name}`)
    console.log(`${String(total).padStart(9)} bytes gzipped  in all`)
    if (total > LARGEST) throw new Error(`the page has ${total} bytes gzipped; it may have ${LARGEST}`)
    mkdirSync(join(out, "licences"), { recursive: true })
    const files = readdirSync(fresh, { recursive: true, withFileTypes: true }).filter((file) => file.isFile()).map((file) => relative(fresh, join(file.parentPath, file.name)))
    for (const file of files) renameSync(join(fresh, file), join(out, file))
    for (const file of readdirSync(out, { recursive: true, withFileTypes: true })) {
      const name = relative(out, join(file.parentPath, file.name))
      if (file.isFile() && name !== "built" && !files.includes(name)) rmSync(join(out, name))
    }
    // Only a build that went well to its end leaves this behind: it is how `make` knows.
    writeFileSync(join(out, "built"), `${total} bytes gzipped\n`)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}
