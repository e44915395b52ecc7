import { later } from '../../ui/later.ts'

/** The list. A link to one leaf does not need it for the first paint. */
export const listPane = later(() => import('./list-pane.tsx'))
