// Bundles the libraries as the build does. The tests run with these files (vitest.config.ts).
import {
  bundleLibraries,
  MCP_LIBRARIES,
  PASSKEY_LIBRARIES,
  X402_LIBRARIES,
} from './bundle-libraries.mjs'

for (const module of [X402_LIBRARIES, PASSKEY_LIBRARIES, MCP_LIBRARIES]) {
  await bundleLibraries(module, process.argv[2])
}
