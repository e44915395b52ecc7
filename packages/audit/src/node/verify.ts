export { toFindingsText } from '../verify/findings-text.ts'
export { verifyFile } from './verify-file.ts'
