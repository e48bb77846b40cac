import { Avatar } from '../ui/parts/indicators.js';

export interface PresentAgent {
  readonly agentId: string;
  readonly name: string;
  readonly doing: 'viewing' | 'replying';
}

/** Screen readers announce changes, so that two agents do not answer the same customer. */
export function PresenceBar({ present }: { present: readonly PresentAgent[] }) {
  return (
    <div class="presences row" id="presence" role="status" data-live>
      {present.map(({ agentId, name, doing }) => (
        <span class={`pill presence ${doing}`} key={agentId}>
          <Avatar name={name} />
          {`${name} is ${doing}`}
        </span>
      ))}
    </div>
  );
}
