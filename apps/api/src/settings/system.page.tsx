import type { Finding } from '#libs/doctor';
import { VERSION } from '#libs/telemetry';
import { Pill } from '../ui/parts/indicators.js';
import { type Column, Table } from '../ui/parts/table.js';
import { PageLayout } from '../shell/shell.js';
import type { AccountTraffic } from '#libs/webhooks';
import { AccountTrafficCard } from './account-traffic.js';
import { SystemVerdict, VERDICT_TONES } from './system-verdict.js';

export function SystemPage({ findings, traffic }: { findings: readonly Finding[]; traffic: AccountTraffic }) {
  return (
    <PageLayout
      title="System"
      intro="The state of this installation. It also serves other accounts, about which nothing is shown here."
    >
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
  { name: 'State', cell: ({ verdict }) => <Pill tone={VERDICT_TONES[verdict]}>{verdict}</Pill> },
  { name: 'Part', class: 'nowrap-text', cell: ({ name }) => name },
  { name: 'Finding', class: 'words', cell: ({ words }) => words },
];
