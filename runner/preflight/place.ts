/** Where a connection leads. */
export interface HostAndPort {
  /** Name or IP address; an IPv6 address without its brackets. */
  readonly host: string;
  readonly port: number;
}

/** The place that a URL leads to. */
export function placeOf({ hostname, port, protocol }: URL): HostAndPort {
  const host = hostname.replace(/^\[(.+)\]$/, '$1');
  return { host, port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port) };
}

/** A place as text: `host:port`, an IPv6 address in brackets. */
export function placeText({ host, port }: HostAndPort): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** Whether a host is this machine by its very name. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d+){3}$/.test(host);
}
