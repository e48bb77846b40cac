import { type Server, createServer } from 'node:http';
import { baseUrlOf } from '#test/support/api-client.js';

/** A third-party web application. Its callback can redirect to another of its sites. */
export class ApplicationServer {
  private constructor(private readonly server: Server) {}

  static async start(onwards?: string): Promise<ApplicationServer> {
    const server = createServer((request, response) => {
      if (onwards && request.url?.startsWith('/callback'))
        return response.writeHead(302, { location: `${onwards}${request.url}` }).end();
      return response.setHeader('content-type', 'text/html').end(`<h1>Back at the application</h1>`);
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return new ApplicationServer(server);
  }

  get base(): string {
    return baseUrlOf(this.server);
  }
  get callback(): string {
    return `${this.base}/callback`;
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
