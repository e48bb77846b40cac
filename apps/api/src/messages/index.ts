export { Conversation } from './conversation.js';
export { CreateMessageDto } from './messages.dto.js';
export { HeldReplies, noticeOfHeld } from './held-replies.js';
export { WrittenText } from './message-body.js';
export { MailPill, SenderVerdictsPill } from './mail-state.js';
export { type ThreadQuery, ThreadReader } from './thread.reader.js';
