import type { components } from './generated.ts'

type Schemas = components['schemas']

export type Agent = Schemas['Agent']
export type EvaluateProblem = Schemas['EvaluateProblem']
export type EvaluateProblemCode = Schemas['EvaluateProblemCode']
export type Evaluation = Schemas['Evaluation']
export type Event = Schemas['Event']
export type EventList = Schemas['EventList']
export type Mandate = Schemas['Mandate']
export type MandateInput = Schemas['MandateInput']
export type Rule = Schemas['Rule']
export type RuleInput = Schemas['RuleInput']
export type SpendInput = Schemas['SpendInput']
export type Transaction = Schemas['Transaction']
export type TransactionApprovedWebhook = Schemas['TransactionApprovedWebhook']
