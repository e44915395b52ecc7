import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const CREATE_ICON = fileURLToPath(new URL('../src/ui/create-icon.ts', import.meta.url))

const IMPORT = `import { createIcon as createLucideIcon } from ${JSON.stringify(CREATE_ICON)}`

/**
 * Lets `create-icon.ts` draw the icons of lucide, which needs a tenth of the code and of the work for
 * each icon. The names of icons and the keys of their shapes go away: keys are random letters, which
 * do not compress, and React needs none for children that never change their order.
 */
export function lightIcons(): Plugin {
  return {
    name: 'light-icons',
    transform: {
      filter: { id: /lucide-react\/dist\/esm\/icons\// },
      handler: (code) => ({
        code: code
          .replace(/^import createLucideIcon from .*$/m, IMPORT)
          .replace(/,\s*key: "\w+"/g, '')
          .replace(/^\s*(name|size|aliases): .*,\n/gm, ''),
        map: null,
      }),
    },
  }
}
