import { Tool } from './ticket-tools.js';
import { SNOOZE_CHOICES } from './snooze-times.js';
import { TicketForm, type ToolProps } from './ticket-form.js';

export function Snooze({ ticket, query }: ToolProps) {
  return (
    <Tool label="Snooze">
      <div class="stack">
        <TicketForm ticket={ticket} query={query} action="snooze" label="Snooze">
          {SNOOZE_CHOICES.map(({ value, label }) => (
            <button type="submit" name="until" value={value} key={value}>
              {label}
            </button>
          ))}
        </TicketForm>
        <hr />
        <TicketForm ticket={ticket} query={query} action="snooze" label="Snooze until a time">
          <label class="field">
            Until
            <input type="datetime-local" name="until" required />
          </label>
          <button type="submit" class="primary">
            Snooze
          </button>
        </TicketForm>
      </div>
    </Tool>
  );
}
