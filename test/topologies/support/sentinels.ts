import { eventually } from '#test/support/eventually.js';
import { PASSWORD, type RedisHost, type RedisNode, setUpNodes } from './redis-node.js';

const NAME = 'desk';
const SENTINEL_PASSWORD = 'of-the-sentinels';
const DOWN_AFTER_MS = 1_000;
const FAILOVER_TIMEOUT_MS = 3_000;

/** A primary, two replicas, and three Sentinels that watch them. */
export class Sentinels {
  private constructor(
    readonly servers: readonly RedisNode[],
    private readonly sentinels: readonly RedisNode[],
  ) {}

  /** On this machine, or one of each on each of three hosts. */
  static async start(
    hosts: readonly (RedisHost | undefined)[] = [undefined, undefined, undefined],
  ): Promise<Sentinels> {
    const placed = hosts.map((on) => (on ? { on } : {}));
    return setUpNodes(async (start) => {
      const primary = await start({ lines: () => serverLines, ...placed[0] });
      const replicaLines = [...serverLines, `replicaof ${primary.host} ${primary.port}`];
      const replicas = await Promise.all(placed.slice(1).map((on) => start({ lines: () => replicaLines, ...on })));
      const sentinel = { sentinel: true, password: SENTINEL_PASSWORD, lines: () => sentinelLines(primary) };
      const sentinels = await Promise.all(placed.map((on) => start({ ...sentinel, ...on })));
      const all = new Sentinels([primary, ...replicas], sentinels);
      await all.settled();
      return all;
    });
  }

  get settings(): Readonly<Record<string, string>> {
    return {
      REDIS_URL: `redis://:${PASSWORD}@any`,
      REDIS_SENTINELS: this.sentinels.map(({ host, port }) => `${host}:${port}`).join(),
      REDIS_SENTINEL_NAME: NAME,
      REDIS_SENTINEL_PASSWORD: SENTINEL_PASSWORD,
    };
  }

  /** The primary according to the first Sentinel to answer; it has every key. */
  async ownerOf(_key: string): Promise<RedisNode> {
    const [host, port] = await Promise.any(
      this.sentinels.map((sentinel) =>
        sentinel.ask((redis) => redis.call('sentinel', 'get-master-addr-by-name', NAME) as Promise<[string, string]>),
      ),
    );
    return this.servers.find((server) => server.host === host && server.port === Number(port))!;
  }

  async stop(): Promise<void> {
    for (const node of [...this.sentinels, ...this.servers]) {
      node.thaw();
      await node.stop();
    }
  }

  /** Waits until all Sentinels know the replicas and each other. */
  async settled(): Promise<void> {
    for (const sentinel of this.sentinels)
      await eventually(
        async () => {
          const fields = await sentinel.ask((redis) => redis.call('sentinel', 'master', NAME) as Promise<string[]>);
          const field = (name: string): number => Number(fields[fields.indexOf(name) + 1]);
          return field('num-slaves') === 2 && field('num-other-sentinels') === 2;
        },
        { withinMs: 30_000 },
      );
  }
}

/** As in docs/machines.md. */
export const SENTINEL_SERVER = ['maxmemory-policy noeviction'];
export const SENTINEL = [
  `sentinel down-after-milliseconds ${NAME} ${DOWN_AFTER_MS}`,
  `sentinel failover-timeout ${NAME} ${FAILOVER_TIMEOUT_MS}`,
];

const serverLines = [
  `requirepass ${PASSWORD}`,
  `masterauth ${PASSWORD}`,
  'save ""',
  'repl-diskless-sync-delay 0',
  ...SENTINEL_SERVER,
];

const sentinelLines = ({ host, port }: RedisNode): string[] => [
  `requirepass ${SENTINEL_PASSWORD}`,
  `sentinel monitor ${NAME} ${host} ${port} 2`,
  `sentinel auth-pass ${NAME} ${PASSWORD}`,
  ...SENTINEL,
];
