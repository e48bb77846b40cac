import { randomUUID } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { ThrottlesService } from '#libs/access';
import { AddressGuard, GuardedNames } from '#libs/address-guard';
import { DirectDialler, DocumentFetcher } from '#libs/guarded-http';
import { readSettings } from '#libs/settings';
import { MovableClock } from '#test/support/clock.js';
import { startedForFile } from '#test/support/desk-for-file.js';
import { Ledger } from '#test/support/ledger.js';
import { ClientMetadataService } from '../../../apps/api/src/layers/oauth/client-metadata.service.js';
import { RawServer, aReply } from '../../receivers/raw-server.js';
import { ScriptedNames } from '../../receivers/sender.js';

interface ServiceOptions {
  readonly settings?: Readonly<Record<string, string>>;
  readonly allowed?: readonly string[];
  readonly names?: ScriptedNames;
  readonly trusted?: string;
  readonly timeoutMs?: number;
}

/** A database, and processes of the API that read documents in a short time. */
export class MetadataDesk {
  readonly clock: MovableClock;

  private constructor(readonly ledger: Ledger) {}

  static forFile(): MetadataDesk {
    return startedForFile(MetadataDesk.prototype, async () => {
      const ledger = await Ledger.start();
      return Object.assign(new MetadataDesk(ledger), { clock: new MovableClock() });
    });
  }

  service(options: ServiceOptions = {}): ClientMetadataService {
    const { database, at } = this.ledger;
    const settings = readSettings({ NODE_ENV: 'development', DATABASE_URL: at.url, ...options.settings });
    const documents = this.documents(options, settings.WEBHOOK_REQUIRE_HTTPS);
    const throttles = new ThrottlesService(database, this.clock);
    return new ClientMetadataService(database, this.clock, throttles, documents, settings);
  }

  documents({ allowed, names, trusted, timeoutMs = 2_000 }: ServiceOptions, requireHttps = false): DocumentFetcher {
    const guarded = new GuardedNames(new AddressGuard(allowed ?? ['127.0.0.0/8']), names ?? new ScriptedNames());
    const secureContext = createSecureContext(trusted ? { ca: trusted } : {});
    const dialler = new DirectDialler(guarded, { connectTimeoutMs: 2_000, secureContext });
    return new DocumentFetcher(dialler, { requireHttps, timeoutMs });
  }

  async row(clientId: string): Promise<Record<string, unknown> | undefined> {
    const found = await this.ledger.sql.query('select * from applications where client_id = $1', [clientId]);
    return found.rows[0] as Record<string, unknown> | undefined;
  }

  stop = (): Promise<void> => this.ledger.stop();
}

export const JSON_TYPE = 'Content-Type: application/json\r\n';

export const documentAt = (clientId: string, changes: Record<string, unknown> = {}): string =>
  JSON.stringify({ client_id: clientId, client_name: 'Mirror', redirect_uris: ['http://127.0.0.1/done'], ...changes });

/** The host of a client, whose response may change. */
export class ClientHost {
  response = '';

  readonly clientId: string;

  private constructor(readonly server: RawServer) {
    // An earlier host of the file may have had the same port.
    this.clientId = `${server.url()}/${randomUUID()}`;
    this.publish();
  }

  static async start(): Promise<ClientHost> {
    const hosts: ClientHost[] = [];
    const server = await RawServer.start((socket) => socket.once('data', () => socket.write(hosts[0]!.response)));
    hosts.push(new ClientHost(server));
    return hosts[0]!;
  }

  publish(changes: Record<string, unknown> = {}, headers = ''): void {
    this.response = aReply('200 OK', documentAt(this.clientId, changes), `${JSON_TYPE}${headers}`);
  }
}
