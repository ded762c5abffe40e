/**
 * The licences of the packages that are bundled into the page. They ask to go along with the code, and with the fonts.
 *
 * The bundler says which packages these are, so that none is forgotten when one brings another along.
 */
import { cpSync, mkdirSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"

const PACKAGE = /^(.*node_modules\/((?:@[^/]+\/)?[^/]+))\//
const LICENCE = /^(licen[cs]e|copying)(\.(md|txt))?$/i

/** The folder of each bundled package, by its name. */
export function bundledPackages(metafile) {
  const found = Object.keys(metafile.inputs).flatMap((input) => {
    const match = PACKAGE.exec(input)
    return match ? [[match[2], match[1]]] : []
  })
  return new Map(found.sort())
}

/** The file in which a package's licence stands: "@codemirror/view" is in codemirror-view.txt. */
export function licenceFile(name) {
  return `${name.replace("@", "").replaceAll("/", "-")}.txt`
}

/** Copies the licence of each bundled package into the folder. A package without one fails the build. */
export function writeLicences(metafile, root, folder) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [name, place] of bundledPackages(metafile)) {
    const file = readdirSync(join(root, place)).find((one) => LICENCE.test(one))
    if (file === undefined) throw new Error(`${name} is bundled, and has no file with its licence`)
    cpSync(join(root, place, file), join(folder, licenceFile(name)))
  }
}

/** Writes the licences into the folder `licences` beside the bundle, after each build. */
export const licences = {
  name: "licences",
  setup(build) {
    build.initialOptions.metafile = true
    build.onEnd(({ metafile }) => {
      if (metafile) writeLicences(metafile, build.initialOptions.absWorkingDir, join(build.initialOptions.outdir, "licences"))
    })
  },
}
