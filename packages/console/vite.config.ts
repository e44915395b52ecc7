import { fileURLToPath } from 'node:url'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { CHUNK_GROUPS } from './vite/chunk-groups.ts'
import { compressFiles } from './vite/compress-files.ts'
import { fontLicenses } from './vite/font-licenses.ts'
import { lightIcons } from './vite/light-icons.ts'
import { preloadFont } from './vite/preload-font.ts'
import { themeScript } from './vite/theme-script.ts'

/** The gateway that `npm run dev` in this folder shows pages of. */
const GATEWAY = 'http://127.0.0.1:3000'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  resolve: {
    conditions: ['@purser/source', 'module', 'browser'],
    // React has this itself. The shim is for versions before 18.
    alias: [
      { find: /^use-sync-external-store\/shim$/, replacement: 'react' },
      {
        find: /^use-sync-external-store\/shim\/with-selector$/,
        replacement: 'use-sync-external-store/with-selector',
      },
    ],
  },
  // The server for development bundles libraries before it shows them to plugins.
  optimizeDeps: { rolldownOptions: { plugins: [lightIcons()] } },
  plugins: [
    ...[react(), tailwind(), lightIcons(), themeScript()],
    ...[preloadFont(), fontLicenses(), compressFiles()],
  ],
  build: {
    outDir: fileURLToPath(new URL('../server/console', import.meta.url)),
    emptyOutDir: true,
    // The content security policy allows no data: addresses for fonts and images.
    assetsInlineLimit: 0,
    // The policy allows no inline script, and every browser with passkeys preloads modules itself.
    modulePreload: {
      polyfill: false,
      // Every page has these two already. Their names would make the lists of files longer.
      resolveDependencies: (_file, files, { hostType }) =>
        hostType === 'js' ? files.filter((name) => !/\/(base|frame|index)-/.test(name)) : files,
    },
    target: 'es2022',
    rolldownOptions: {
      output: {
        codeSplitting: { groups: CHUNK_GROUPS },
        // The first file lists the names of all others, so short names are a kilobyte of every page.
        chunkFileNames: ({ name }) =>
          name === 'base' || name === 'frame' ? 'assets/[name]-[hash].js' : 'assets/[hash].js',
      },
      // To read a property of a module does nothing else, so unused icons and parts go away.
      treeshake: { propertyReadSideEffects: false, unknownGlobalSideEffects: false },
    },
    // The licenses of the packages whose code is in these files require it.
    license: { fileName: 'LICENSES.md' },
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
