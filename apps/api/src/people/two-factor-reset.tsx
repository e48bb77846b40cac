import type { Agent } from '#libs/entities';
import { ConfirmDialog } from '../ui/parts/dialog.js';
import { agentName } from '../ui/agent-name.js';

/** For agents who lost their phone. */
export function TwoFactorReset({ agent }: { agent: Agent }) {
  return (
    <ConfirmDialog
      id={`reset-two-factor-${agent.id}`}
      title={`Reset the two-factor sign-in of ${agentName(agent)}?`}
      action={`/settings/agents/${agent.id}/reset-two-factor`}
      verb="Reset two-factor"
    >
      <p>
        They are signed out everywhere and sign in with the password alone, until they set it up again. First make sure
        that it is really they who ask.
      </p>
    </ConfirmDialog>
  );
}
