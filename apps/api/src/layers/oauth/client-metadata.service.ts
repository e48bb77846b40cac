import {
  type OAuthClient,
  ThrottlesService,
  cacheSeconds,
  clientMetadataLimits,
  findMetadataClient,
  isMetadataUrl,
  parseClientMetadata,
  saveMetadataClient,
} from '#libs/access';
import { Clock, Database, later } from '#libs/database';
import { type Application, SCOPES } from '#libs/entities';
import { DocumentFetcher } from '#libs/guarded-http';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';
import { UNKNOWN_CLIENT } from './authorization-request.js';

type ClientLookup =
  | { readonly kind: 'client'; readonly client: OAuthClient }
  | { readonly kind: 'refused'; readonly sentence: string };

/** An outage of a host need not end its application’s sign-ins. One that removed its document is refused at once. */
const MAX_STALE_MS = 24 * 3_600_000;

/** Clients whose ID is the URL of a document about them. */
@Injectable()
export class ClientMetadataService {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly throttles: ThrottlesService,
    private readonly documents: DocumentFetcher,
    @Inject(SETTINGS_TOKEN) private readonly settings: Settings,
  ) {}

  /** Call it for people who are signed in: it may send a request to any host, and add a row. */
  async find(clientId: string, address: string): Promise<ClientLookup> {
    const obstacle = this.obstacleTo(clientId);
    if (obstacle !== null) return refused(obstacle);
    const row = await findMetadataClient(this.database.system(), clientId);
    if (row && (row.disabledAt || !this.isExpiredFor(row, 0))) return enabled(row);
    const read = await this.read(clientId, address);
    if (read.kind === 'row') return enabled(read.row);
    if (read.kind === 'unavailable' && row && !this.isExpiredFor(row, MAX_STALE_MS)) return enabled(row);
    return refused(
      `The document about the application, ${clientId}, cannot be used: ${read.detail.replace(/\.$/, '')}.`,
    );
  }

  private obstacleTo(clientId: string): string | null {
    const { CLIENT_ID_METADATA_DOCUMENTS, CLIENT_ID_METADATA_HOSTS, WEBHOOK_REQUIRE_HTTPS } = this.settings;
    if (!CLIENT_ID_METADATA_DOCUMENTS) return UNKNOWN_CLIENT;
    if (!isMetadataUrl(clientId, WEBHOOK_REQUIRE_HTTPS))
      return 'The client_id of the application is not a normalized https address with a path and without a query.';
    const { hostname } = new URL(clientId);
    const isAccepted = CLIENT_ID_METADATA_HOSTS.length === 0 || CLIENT_ID_METADATA_HOSTS.includes(hostname);
    return isAccepted ? null : `Applications of ${hostname} are not accepted here.`;
  }

  private isExpiredFor({ metadataExpiresAt }: Application, ms: number): boolean {
    return metadataExpiresAt !== null && later(metadataExpiresAt, ms) <= this.clock.now();
  }

  private async read(clientId: string, address: string) {
    if ((await this.throttles.consume(clientMetadataLimits(address))) > 0) return TOO_MANY;
    const fetched = await this.documents.fetch(clientId);
    if (fetched.kind !== 'document') return fetched;
    const parsed = parseClientMetadata(clientId, fetched.text);
    if (parsed.kind === 'refused') return parsed;
    const now = this.clock.now();
    const expiresAt = later(now, cacheSeconds(fetched.cacheControl) * 1_000);
    const client = { ...parsed.metadata, scopes: SCOPES, expiresAt };
    return { kind: 'row', row: await saveMetadataClient(this.database.system(), client, now) } as const;
  }
}

const TOO_MANY = {
  kind: 'unavailable',
  detail: 'too many were read in the last five minutes',
} as const;

const refused = (sentence: string): ClientLookup => ({ kind: 'refused', sentence });
const enabled = (client: Application): ClientLookup =>
  client.disabledAt ? refused(UNKNOWN_CLIENT) : { kind: 'client', client };
