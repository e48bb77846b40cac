import { CopyButton } from '../../ui/parts/copy-button.js';
import { NoticeBox } from '../../ui/parts/indicators.js';
import { TwoFactorLayout } from './two-factor.page.js';

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly next: string;
  readonly isOn?: boolean;
}

export function RecoveryCodesPage({ codes, next, isOn = false }: RecoveryCodesProps) {
  return (
    <TwoFactorLayout title="Your recovery codes">
      <NoticeBox tone="good" role="status">
        {isOn ? 'Two-factor sign-in is on.' : 'Your previous recovery codes no longer work.'}
      </NoticeBox>
      <p>
        Store these with your passwords, but not on the phone with the app. If you lose the app, each code signs you in
        once. <strong>They will not be shown again.</strong>
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
          I have saved them
        </a>
      </p>
    </TwoFactorLayout>
  );
}
