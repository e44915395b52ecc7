import { PATHS } from '../../src/paths/index.ts'
import { type ConfiguredPath, withSettings } from '../../src/paths/path.ts'
import { x402Path } from '../../src/paths/x402/path.ts'
import type { X402Settings } from '../../src/paths/x402/settings.ts'

/** Every payment path, with x402 on these networks. */
export function pathsOn(networks: X402Settings['networks']): ConfiguredPath[] {
  return PATHS.map((path) =>
    path.name === x402Path.name
      ? withSettings(x402Path, { networks })
      : withSettings(
          path,
          path.settings?.read(() => undefined, []),
        ),
  )
}
