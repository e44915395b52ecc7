import type { Plugin } from 'vite'

/** Lets the browser load the font of the text before it has read the style sheet that names it. */
export function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle = {} }) {
        const file = Object.keys(bundle).find((name) => /geist-latin-wght.*\.woff2$/.test(name))
        if (file === undefined) throw new Error('The build has no font to preload.')
        const attrs = { rel: 'preload', href: `/${file}`, as: 'font', type: 'font/woff2' }
        return [{ tag: 'link', attrs: { ...attrs, crossorigin: '' }, injectTo: 'head' as const }]
      },
    },
  }
}
