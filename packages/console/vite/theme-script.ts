import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Plugin, transformWithOxc } from 'vite'

const SOURCE = fileURLToPath(new URL('../src/theme/set-theme.ts', import.meta.url))

/**
 * Adds the script that sets the theme before the first paint. It is a classic script, which blocks
 * the page, and a file of its own, because the content security policy allows no inline code.
 */
export function themeScript(): Plugin {
  let reference = ''
  let code = ''
  let isBuild = false
  return {
    name: 'theme-script',
    configResolved(config) {
      isBuild = config.command === 'build'
    },
    async buildStart() {
      const { code: script } = await transformWithOxc(readFileSync(SOURCE, 'utf8'), SOURCE)
      code = `(() => {${script.replace(/^export \{\};?$/m, '').trim()}})()`
      if (isBuild) reference = this.emitFile({ type: 'asset', name: 'theme.js', source: code })
    },
    configureServer({ middlewares }) {
      middlewares.use('/theme.js', (_request, response) => {
        response.setHeader('content-type', 'text/javascript')
        response.end(code)
      })
    },
    transformIndexHtml: {
      order: 'post',
      handler() {
        const src = isBuild ? `/${this.getFileName(reference)}` : '/theme.js'
        return [{ tag: 'script', attrs: { src }, injectTo: 'head-prepend' as const }]
      },
    },
  }
}
