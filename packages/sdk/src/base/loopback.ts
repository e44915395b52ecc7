/** Whether the host of a URL is this machine. */
export function isLoopback(host: string): boolean {
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(host)
}
