export const QUARANTINE_PATH = '/quarantine';
