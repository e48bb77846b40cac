import { SAVED_REPLY_STATES, type SavedReply } from '#libs/entities';
import * as json from './json-schema.js';
import { recordPayload } from './record-payload.js';

export const savedReplyPayload = recordPayload<SavedReply>('A text for replies, with what sending it changes.', {
  id: [json.id, 'id'],
  name: [json.text('Name, unique among the shared ones or those of the agent.'), 'name'],
  body: [json.text('Plain text, with variables as written.'), 'body'],
  shared: [json.flag('Whether all agents have it, or only its owner.'), ({ agentId }) => agentId === null],
  tags: [json.listOf(json.string, 'Tags added to the ticket.'), 'tags'],
  state: [json.oneOfOrNull(SAVED_REPLY_STATES, 'State that the ticket gets.'), 'state'],
  assignee: [json.nullableText('Email of the agent that the ticket is assigned to.'), 'assignee'],
  created_at: [json.createdAt, 'createdAt'],
  updated_at: [json.updatedAt, 'updatedAt'],
  href: [json.href, (reply, links) => links.record('saved_replies', reply.id)],
});
