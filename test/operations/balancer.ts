import { once } from 'node:events';
import { Agent, type Server, createServer } from 'node:http';
import { type ProxyServer, createProxyServer } from 'httpxy';
import { baseUrlOf } from '#test/support/api-client.js';

const ASK_EVERY_MS = 100;

/**
 * A reverse proxy in front of several APIs: it keeps its connections open, checks the readiness of each API, and
 * distributes requests among the ready ones. It never sends a request twice.
 */
export class Balancer {
  private ready: readonly string[] = [];
  private turn = 0;
  private readonly agent = new Agent({ keepAlive: true });
  private readonly proxy: ProxyServer = createProxyServer({ agent: this.agent });
  /**
   * Passes on the keep-alive time of the API and applies it to its clients: if it closed earlier, a request sent at
   * that moment would fail without any fault of an API.
   */
  private readonly server: Server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const target = this.ready[this.turn++ % this.ready.length];
    const fail = (why: unknown): unknown => response.headersSent || response.writeHead(502).end(String(why));
    if (target === undefined) fail('no API is ready');
    else this.proxy.web(request, response, { target }).catch(fail);
  });
  private readonly timer = setInterval(() => void this.ask(), ASK_EVERY_MS);

  private constructor(private apis: readonly string[]) {}

  static async inFrontOf(...apis: string[]): Promise<Balancer> {
    const balancer = new Balancer(apis);
    await balancer.ask();
    balancer.server.listen(0, '127.0.0.1');
    await once(balancer.server, 'listening');
    return balancer;
  }

  get base(): string {
    return baseUrlOf(this.server);
  }

  /** Replaces one API by another. */
  async replace(old: string, by: string): Promise<void> {
    this.apis = this.apis.map((api) => (api === old ? by : api));
    await this.ask();
  }

  stop(): void {
    clearInterval(this.timer);
    this.server.close();
    this.server.closeAllConnections();
    this.agent.destroy();
  }

  private async ask(): Promise<void> {
    const apis = this.apis;
    const areReady = await Promise.all(apis.map((api) => isReady(api)));
    // A later response about other APIs may have come first.
    if (apis === this.apis) this.ready = apis.filter((_, place) => areReady[place]);
  }
}

const isReady = (api: string): Promise<boolean> =>
  fetch(`${api}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
