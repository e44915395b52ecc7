export type { KeyAccess } from './access.ts'
export { answerHttp, type HttpCaller } from './http.ts'
