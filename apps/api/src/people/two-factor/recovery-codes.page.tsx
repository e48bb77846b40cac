import { CopyButton } from '../../ui/parts/copy-button.js';
import { NoticeBox } from '../../ui/parts/indicators.js';
import { TwoFactorLayout } from './two-factor-layout.js';

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly next: string;
  /** It was switched on just now. */
  readonly isOn?: boolean;
}

export function RecoveryCodesPage({ codes, next, isOn = false }: RecoveryCodesProps) {
  return (
    <TwoFactorLayout title="Your recovery codes">
      <NoticeBox tone="good" role="status">
        {isOn ? 'Two-factor sign-in is on.' : 'The recovery codes that you had before are worth nothing now.'}
      </NoticeBox>
      <p>
        Keep these where you keep passwords, but not on the phone with the app. Each opens your account once, when the
        app is lost. <strong>They are not shown again.</strong>
      </p>
      <ol class="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <CopyButton text={codes.join('\n')} what="the recovery codes" />
      <p>
        <a class="button primary" href={next}>
          I have kept them
        </a>
      </p>
    </TwoFactorLayout>
  );
}
