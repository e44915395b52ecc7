import { fileURLToPath } from 'node:url'

/**
 * The folder of this package, which holds `src`, `dist` and the files that are read while the
 * program runs. They are found from here and not from where they are needed: the build joins many
 * modules into few files, and all of those lie directly in `dist`, as this one lies directly in
 * `src`.
 */
export const PACKAGE_FOLDER = fileURLToPath(new URL('..', import.meta.url))
