import { type Finding, type Verdict, worst } from '#libs/doctor';
import { VERSION } from '#libs/telemetry';
import { useFrame } from '../../pages/frame.js';
import { Notice, Pill, type Tone } from '../../pages/parts/marks.js';
import { Table } from '../../pages/parts/table.js';
import { Time } from '../../pages/parts/time.js';
import { Page } from '../shell/shell.js';
import { MOST_COUNTED, type Traffic } from './own-traffic.js';

const TONES: Readonly<Record<Verdict, Tone>> = { green: 'good', amber: 'warn', red: 'bad' };

export function SystemPage({ findings, traffic }: { findings: readonly Finding[]; traffic: Traffic }) {
  return (
    <Page
      title="System"
      here="/settings/system"
      intro="How this installation is. It serves other accounts too; of those nothing is shown here."
    >
      <div id="verdict" data-live>
        <Verdicts findings={findings} />
      </div>
      <OwnTrafficCard traffic={traffic} />
      <Table caption="Parts of the installation" columns={['State', 'Part', 'What is so']} id="findings" live>
        {findings.map(({ verdict, name, words }) => (
          <tr key={name}>
            <td>
              <Pill tone={TONES[verdict]}>{verdict}</Pill>
            </td>
            <td class="nowrap-text">{name}</td>
            <td class="words">{words}</td>
          </tr>
        ))}
      </Table>
      <p class="quiet">{`Deskwire ${VERSION}, on Node.js ${process.versions.node}`}</p>
    </Page>
  );
}

/** One line that says it all, and why. */
function Verdicts({ findings }: { findings: readonly Finding[] }) {
  const verdict = worst(findings);
  const reasons = findings.filter((finding) => finding.verdict === verdict && verdict !== 'green');
  return (
    <Notice tone={TONES[verdict]} role="status">
      <strong>{SUMMARIES[verdict]}</strong>
      {reasons.map(({ name, words }) => (
        <p key={name}>{`${name}: ${words}`}</p>
      ))}
    </Notice>
  );
}

const SUMMARIES: Readonly<Record<Verdict, string>> = {
  green: 'Green: everything is well.',
  amber: 'Amber: it works, and something should be looked at by the operator.',
  red: 'Red: something does not work. Tell the operator.',
};

function OwnTrafficCard({ traffic }: { traffic: Traffic }) {
  const { me } = useFrame();
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
        <dd>{oldestOwedAt ? <Time at={oldestOwedAt} /> : '–'}</dd>
      </dl>
      <p>
        <a href="/settings/webhooks">All webhooks</a>
      </p>
    </section>
  );
}

const counted = (count: number): string =>
  count >= MOST_COUNTED ? `${MOST_COUNTED.toLocaleString('en')} or more` : count.toLocaleString('en');
