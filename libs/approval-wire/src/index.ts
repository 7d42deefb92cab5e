export type {
  ApprovalDeployment,
  ApprovalDocument,
  ApprovalPaths,
  ApprovalRequester,
  BalanceChange,
  DeclineAnswer,
  LinkAnswer,
  OriginatingRequest,
  ProgressAnswer,
  QrDrawing,
  ReadyCall,
  ServiceReading,
  SignedPart,
  SimulationAnswer,
  SubmissionAnswer,
} from './approval-document.js';
export { SCREEN_CATALOGUE, type ScreenText } from './screen-catalogue.js';
