import { queryOptions } from '@tanstack/react-query'

/** A JSON schema of the document. */
export interface ApiSchema {
  readonly $ref?: string
  readonly title?: string
  readonly description?: string
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly pattern?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly properties?: Readonly<Record<string, ApiSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | ApiSchema
  readonly items?: ApiSchema
  readonly anyOf?: readonly ApiSchema[]
  readonly oneOf?: readonly ApiSchema[]
  readonly allOf?: readonly ApiSchema[]
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly maxProperties?: number
}

export interface ApiParameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: ApiSchema
  readonly example?: unknown
}

type Content = Readonly<Record<string, { readonly schema?: ApiSchema; readonly example?: unknown }>>

export interface ApiOperation {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly tags: readonly string[]
  readonly parameters?: readonly ApiParameter[]
  readonly requestBody?: { readonly required?: boolean; readonly content: Content }
  readonly responses: Readonly<
    Record<string, { readonly description: string; readonly content?: Content }>
  >
}

type Methods = Readonly<Record<string, ApiOperation>>

/** The parts of `/openapi.json` that the reference shows. */
export interface ApiDocument {
  readonly info: { readonly version: string; readonly description: string }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Methods>>
  readonly webhooks: Readonly<Record<string, Methods>>
  readonly components: { readonly schemas: Readonly<Record<string, ApiSchema>> }
}

/** The document of this gateway. It changes only when the gateway is replaced. */
export const openApiQuery = () =>
  queryOptions({
    queryKey: ['openApi'],
    queryFn: async ({ signal }): Promise<ApiDocument> => {
      const response = await fetch('/openapi.json', { signal })
      if (!response.ok) throw new Error(`/openapi.json answered ${response.status}.`)
      return response.json()
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })
