import type { Plugin } from 'vite'

/**
 * Removes the keys from the shapes of icons. They are random letters, which do not compress, and
 * React needs none for children that never change their order.
 */
export function stripIconKeys(): Plugin {
  return {
    name: 'strip-icon-keys',
    apply: 'build',
    transform: {
      filter: { id: /lucide-react\/dist\/esm\/icons\// },
      handler: (code) => ({ code: code.replace(/,\s*key: "\w+"/g, ''), map: null }),
    },
  }
}
