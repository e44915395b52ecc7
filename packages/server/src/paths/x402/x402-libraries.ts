/**
 * Lists everything that this path uses of viem and of the x402 packages. No other file imports them:
 * the build turns this file into one of its own, with the code of the packages in it (ADR 61).
 */
export { encodePaymentSignatureHeader } from '@x402/core/http'
export { authorizationTypes, DEFAULT_ASSETS } from '@x402/evm'
export { EVM_NETWORK_CHAIN_ID_MAP } from '@x402/evm/v1'
export {
  BaseError,
  createPublicClient,
  formatUnits,
  getAddress,
  type Hash,
  type Hex,
  HttpRequestError,
  http,
  isHex,
  numberToHex,
  type PublicClient,
  pad,
  parseAbi,
  parseEventLogs,
  parseSignature,
  type RpcLog,
  recoverTypedDataAddress,
  serializeSignature,
  TimeoutError,
  type TypedDataDefinition,
  toEventSelector,
} from 'viem'
export { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
