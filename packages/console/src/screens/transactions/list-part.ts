import { later } from '../../ui/later.ts'

/** The list. A link to one transaction does not need it for the first paint. */
export const listPane = later(() => import('./list-pane.tsx'))
