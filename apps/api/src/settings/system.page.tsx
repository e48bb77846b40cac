import { type Finding, type Verdict, worst } from '#libs/doctor';
import { VERSION } from '#libs/telemetry';
import type { AccountTraffic, BacklogHour } from '#libs/webhooks';
import { usePageContext } from '../layers/ui/page-context.js';
import { type Bar, BarChart } from '../layers/ui/parts/bar-chart.js';
import { NoticeBox, Pill, type Tone } from '../layers/ui/parts/indicators.js';
import { RelativeTime, formatDuration } from '../layers/ui/parts/relative-time.js';
import { type Column, Table } from '../layers/ui/parts/table.js';
import { PageLayout } from '../layers/shell/shell.js';
import { endsOf, hourLabel, owedText } from '../webhooks/index.js';

interface SystemProps {
  readonly findings: readonly Finding[];
  readonly traffic: AccountTraffic;
}

export function SystemPage({ findings, traffic }: SystemProps) {
  return (
    <PageLayout title="System" intro="The state of this installation. Other accounts are not shown.">
      <div id="verdict" data-live>
        <SystemVerdict findings={findings} traffic={traffic} />
      </div>
      <AccountTrafficCard traffic={traffic} />
      <Table caption="Parts of the installation" columns={COLUMNS} rows={findings} id="findings" live />
      <p class="quiet">{`Deskwire ${VERSION}, on Node.js ${process.versions.node}`}</p>
    </PageLayout>
  );
}

const COLUMNS: readonly Column<Finding>[] = [
  { name: 'State', plain: true, cell: ({ verdict }) => <Pill tone={VERDICT_TONES[verdict]}>{verdict}</Pill> },
  { name: 'Part', plain: true, class: 'clip', cell: ({ name }) => name },
  { name: 'Finding', plain: true, cell: ({ words }) => words },
];

const VERDICT_TONES: Readonly<Record<Verdict, Tone>> = { green: 'good', amber: 'warn', red: 'bad' };

export function SystemVerdict({ findings, traffic }: SystemProps) {
  const verdict = worst(findings);
  const reasons = findings.filter((finding) => finding.verdict === verdict && verdict !== 'green');
  const troubles = webhookTroubles(traffic);
  const isOnlyWebhooks = verdict === 'green' && troubles.length > 0;
  return (
    <NoticeBox tone={isOnlyWebhooks ? 'warn' : VERDICT_TONES[verdict]} role="status">
      <strong>{isOnlyWebhooks ? 'Webhooks of your account need attention.' : SUMMARIES[verdict]}</strong>
      {reasons.map(({ name, words }) => (
        <p key={name}>{`${name}: ${words}`}</p>
      ))}
      {troubles.map(({ href, words }) => (
        <p key={words}>
          <a href={href}>{words}</a>
        </p>
      ))}
    </NoticeBox>
  );
}

function webhookTroubles({ disabledWebhooks, failingWebhooks, total }: AccountTraffic) {
  const all = '/settings/webhooks';
  const troubles = [
    [disabledWebhooks, `${all}?state=disabled`, `${counted(disabledWebhooks, 'webhook')} disabled`],
    [failingWebhooks, `${all}?state=active`, `${counted(failingWebhooks, 'webhook')} failing for over 10 minutes`],
    [total.givenUp, all, `${counted(total.givenUp, 'delivery', 'deliveries')} given up in the last 24 hours`],
  ] as const;
  return troubles.filter(([count]) => count > 0).map(([, href, words]) => ({ href, words }));
}

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

const SUMMARIES: Readonly<Record<Verdict, string>> = {
  green: 'All systems operational.',
  amber: 'Everything works, but something needs the operator’s attention.',
  red: 'Something is not working. Contact your operator.',
};

function AccountTrafficCard({ traffic }: { traffic: AccountTraffic }) {
  const { me } = usePageContext();
  const { total, retrying, waiting, oldestOwedAt, backlog } = traffic;
  return (
    <section class="card stack" aria-labelledby="traffic" id="own-traffic" data-live>
      <h2 id="traffic">{`Webhook deliveries of ${me.account}`}</h2>
      <dl class="facts">
        <dt>In 24 hours</dt>
        <dd class="row">
          <Pill
            tone={total.delivered > 0 ? 'good' : 'quiet'}
          >{`${total.delivered.toLocaleString('en')} delivered`}</Pill>
          <Pill tone={total.givenUp > 0 ? 'bad' : 'quiet'}>{`${total.givenUp.toLocaleString('en')} given up`}</Pill>
        </dd>
        <dt>Now</dt>
        <dd class="row">
          <Pill tone={retrying.count > 0 ? 'warn' : 'quiet'}>{`${owedText(retrying)} retrying`}</Pill>
          <Pill tone={waiting.count > 0 ? 'accent' : 'quiet'}>{`${owedText(waiting)} waiting`}</Pill>
        </dd>
        <dt>Oldest</dt>
        <dd>
          {oldestOwedAt ? <RelativeTime at={oldestOwedAt} /> : '–'}
          {waiting.hasMore && ', or earlier'}
        </dd>
      </dl>
      <div class="charts">
        <BarChart
          title="Backlog in 24 hours"
          parts={[{ name: 'pending (peak)', tone: 'warn' }]}
          bars={backlog.map((hour) => barOf(hour, hour.owed, me.timeZone))}
          ends={endsOf(backlog, me.timeZone)}
        />
        <BarChart
          title="Oldest pending delivery in 24 hours"
          parts={[{ name: 'age (peak)', tone: 'accent' }]}
          bars={backlog.map((hour) => barOf(hour, hour.oldestSeconds * 1000, me.timeZone))}
          ends={endsOf(backlog, me.timeZone)}
          words={formatDuration}
        />
      </div>
    </section>
  );
}

const barOf = (hour: BacklogHour, value: number, timeZone: string): Bar => ({
  label: hourLabel(hour, timeZone),
  values: [value],
});
