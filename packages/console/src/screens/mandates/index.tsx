export { Mandates } from './list/mandates.tsx'
export { MandatePage } from './page/mandate-page.tsx'
export { MandateVersions } from './versions/mandate-versions.tsx'
