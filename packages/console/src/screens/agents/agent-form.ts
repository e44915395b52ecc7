import type { Agent } from '@purser/sdk'

export interface AgentForm {
  readonly name: string
  readonly externalId: string
  /** Tags with commas between them. */
  readonly tags: string
  readonly description: string
}

export function toForm(agent: Agent | undefined): AgentForm {
  return {
    name: agent?.name ?? '',
    externalId: agent?.externalId ?? '',
    tags: agent?.tags.join(', ') ?? '',
    description: agent?.description ?? '',
  }
}

/** The body of the request. An empty field removes the value. */
export function readForm({ name, externalId, tags, description }: AgentForm) {
  const list = tags.split(',').map((tag) => tag.trim())
  return {
    name: name.trim(),
    externalId: externalId.trim() === '' ? null : externalId.trim(),
    tags: [...new Set(list.filter(Boolean))],
    description: description.trim() === '' ? null : description.trim(),
  }
}
