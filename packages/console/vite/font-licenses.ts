import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Plugin } from 'vite'

const FONTS = ['@fontsource-variable/geist', '@fontsource-variable/geist-mono']

/** Writes the licenses of the fonts. Vite only writes those of packages with code (LICENSES.md). */
export function fontLicenses(): Plugin {
  const { resolve } = createRequire(import.meta.url)
  return {
    name: 'font-licenses',
    apply: 'build',
    generateBundle() {
      const texts = FONTS.map((name) => {
        const { version } = JSON.parse(readFileSync(resolve(`${name}/package.json`), 'utf8'))
        return `${name} ${version} (OFL-1.1)\n\n${readFileSync(resolve(`${name}/LICENSE`), 'utf8')}`
      })
      this.emitFile({ type: 'asset', fileName: 'FONT-LICENSES.txt', source: texts.join('\n') })
    },
  }
}
