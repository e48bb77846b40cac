import { type Finding, type Verdict, worst } from '#libs/doctor';
import { VERSION } from '#libs/telemetry';
import { usePageContext } from '../../pages/page-context.js';
import { NoticeBox, Pill, type Tone } from '../../pages/parts/indicators.js';
import { type Column, Table } from '../../pages/parts/table.js';
import { RelativeTime } from '../../pages/parts/relative-time.js';
import { PageLayout } from '../shell/shell.js';
import { MAX_COUNTED, type AccountTraffic } from './system.reader.js';

const TONES: Readonly<Record<Verdict, Tone>> = { green: 'good', amber: 'warn', red: 'bad' };

export function SystemPage({ findings, traffic }: { findings: readonly Finding[]; traffic: AccountTraffic }) {
  return (
    <PageLayout
      title="System"
      intro="The state of this installation. It also serves other accounts, about which nothing is shown here."
    >
      <div id="verdict" data-live>
        <VerdictSummary findings={findings} />
      </div>
      <AccountTrafficCard traffic={traffic} />
      <Table caption="Parts of the installation" columns={COLUMNS} rows={findings} id="findings" live />
      <p class="quiet">{`Deskwire ${VERSION}, on Node.js ${process.versions.node}`}</p>
    </PageLayout>
  );
}

const COLUMNS: readonly Column<Finding>[] = [
  { name: 'State', cell: ({ verdict }) => <Pill tone={TONES[verdict]}>{verdict}</Pill> },
  { name: 'Part', class: 'nowrap-text', cell: ({ name }) => name },
  { name: 'Finding', class: 'words', cell: ({ words }) => words },
];

/** The overall state in one line, with its reasons. */
function VerdictSummary({ findings }: { findings: readonly Finding[] }) {
  const verdict = worst(findings);
  const reasons = findings.filter((finding) => finding.verdict === verdict && verdict !== 'green');
  return (
    <NoticeBox tone={TONES[verdict]} role="status">
      <strong>{SUMMARIES[verdict]}</strong>
      {reasons.map(({ name, words }) => (
        <p key={name}>{`${name}: ${words}`}</p>
      ))}
    </NoticeBox>
  );
}

const SUMMARIES: Readonly<Record<Verdict, string>> = {
  green: 'Green: everything is well.',
  amber: 'Amber: everything works, but the operator should look at something.',
  red: 'Red: something does not work. Tell the operator.',
};

function AccountTrafficCard({ traffic }: { traffic: AccountTraffic }) {
  const { me } = usePageContext();
  const { delivered, exhausted, pending, owed, oldestOwedAt } = traffic;
  return (
    <section class="card stack" aria-labelledby="traffic" id="own-traffic" data-live>
      <h2 id="traffic">{`Deliveries of ${me.account}`}</h2>
      <dl class="facts">
        <dt>In the last hour</dt>
        <dd class="row">
          <Pill tone={delivered > 0 ? 'good' : 'quiet'}>{`${counted(delivered)} delivered`}</Pill>
          <Pill tone={exhausted > 0 ? 'bad' : 'quiet'}>{`${counted(exhausted)} given up`}</Pill>
          <Pill tone={pending > 0 ? 'warn' : 'quiet'}>{`${counted(pending)} under way`}</Pill>
        </dd>
        <dt>Waiting</dt>
        <dd>{owed === 0 ? 'nothing' : counted(owed)}</dd>
        <dt>Oldest waiting</dt>
        <dd>{oldestOwedAt ? <RelativeTime at={oldestOwedAt} /> : '–'}</dd>
      </dl>
      <p>
        <a href="/settings/webhooks">All webhooks</a>
      </p>
    </section>
  );
}

const counted = (count: number): string =>
  count >= MAX_COUNTED ? `${MAX_COUNTED.toLocaleString('en')} or more` : count.toLocaleString('en');
