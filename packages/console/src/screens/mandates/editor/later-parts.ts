export { Beside } from './beside/beside.tsx'
export { VerdictLine } from './beside/verdict-line.tsx'
export { RuleList } from './rules/rule-list.tsx'
export { TermFields } from './term-fields.tsx'
