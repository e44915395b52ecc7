import { fileURLToPath } from 'node:url'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressFiles } from './vite/compress-files.ts'
import { preloadFont } from './vite/preload-font.ts'
import { themeScript } from './vite/theme-script.ts'

/** The gateway that `npm run dev` in this folder shows pages of. */
const GATEWAY = 'http://127.0.0.1:3000'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  resolve: { conditions: ['@purser/source', 'module', 'browser'] },
  plugins: [react(), tailwind(), themeScript(), preloadFont(), compressFiles()],
  build: {
    outDir: fileURLToPath(new URL('../server/console', import.meta.url)),
    emptyOutDir: true,
    // The content security policy allows no data: addresses for fonts and images.
    assetsInlineLimit: 0,
    // The policy allows no inline script, and every browser with passkeys preloads modules itself.
    modulePreload: { polyfill: false },
    target: 'es2022',
    reportCompressedSize: false,
  },
  server: {
    port: 5173,
    proxy: {
      '/api': GATEWAY,
      '/console/api': GATEWAY,
      '/openapi.json': GATEWAY,
      '/.well-known': GATEWAY,
    },
  },
})
