import { type Finding, type Verdict, worst } from '#libs/doctor';
import type { AccountTraffic } from '#libs/webhooks';
import { NoticeBox, type Tone } from '../ui/parts/indicators.js';

export const VERDICT_TONES: Readonly<Record<Verdict, Tone>> = { green: 'good', amber: 'warn', red: 'bad' };

interface SystemVerdictProps {
  readonly findings: readonly Finding[];
  readonly traffic: AccountTraffic;
}

/** The overall state in one line, with its reasons: first of the installation, then of the webhooks of the account. */
export function SystemVerdict({ findings, traffic }: SystemVerdictProps) {
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

interface Trouble {
  readonly href: string;
  readonly words: string;
}

function webhookTroubles({ disabledWebhooks, failingWebhooks, total }: AccountTraffic): Trouble[] {
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
  amber: 'Everything works, but the operator should look at something.',
  red: 'Something does not work. Tell the operator.',
};
