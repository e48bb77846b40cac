import { type Server, createServer } from 'node:http';
import { baseUrlOf } from '#test/support/api-client.js';

/** A site whose pages run one script and have no server of their own. */
export class ScriptServer {
  private constructor(private readonly server: Server) {}

  static async start(script: string): Promise<ScriptServer> {
    const server = createServer((request, response) => {
      const [type, body] =
        request.url === '/script.js'
          ? ['text/javascript', script]
          : ['text/html', '<link rel="icon" href="data:,"><script type="module" src="/script.js"></script>'];
      response.setHeader('content-type', type).end(body);
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return new ScriptServer(server);
  }

  get base(): string {
    return baseUrlOf(this.server);
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
