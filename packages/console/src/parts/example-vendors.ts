/** A host to show in examples, by the category of the spend. */
const VENDORS: Readonly<Record<string, string>> = {
  llm: 'api.openai.com',
  search: 'api.exa.ai',
  travel: 'lufthansa.com',
}

export function exampleVendor(category: string): string {
  return VENDORS[category] ?? 'example.com'
}
