export { MandateEditor } from './mandate-editor.tsx'
export { NewMandate } from './new-mandate.tsx'
