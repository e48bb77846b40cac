import { type Finding, type Verdict, worst } from '#libs/doctor';
import { VERSION } from '#libs/telemetry';
import { NoticeBox, Pill, type Tone } from '../../pages/parts/indicators.js';
import { type Column, Table } from '../../pages/parts/table.js';
import { PageLayout } from '../shell/shell.js';
import type { AccountTraffic } from '#libs/webhooks';
import { AccountTrafficCard } from './account-traffic.js';

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
