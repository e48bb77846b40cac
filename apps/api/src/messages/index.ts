/** What other nouns may import. */
export { Conversation } from './conversation.js';
export { CreateMessageDto } from './create-message.dto.js';
export { noticeOfHeld } from './held-replies.js';
export { MailPill } from './mail-state.js';
export { MessagePage } from './message.page.js';
export { SenderVerdictsPill } from './sender-verdicts.js';
export { type ThreadQuery, ThreadReader } from './thread.reader.js';
