export { InvertedIndex, type SumQuery } from './inverted-index.js';
export { GreatestSums } from './greatest-sums.js';
export { MaxSegmentTree } from './max-segment-tree.js';
export { runHelper, type WorkerSlot, ParallelSearch } from './parallel-search.js';
export { type LeadingSearch, type SearchTask, WholeSearch } from './search-task.js';
export { merged } from './segment-merge.js';
export { type SegmentQuery, SegmentSearch, type WeighedTerm } from './segment-search.js';
export {
  type Posted,
  type PostingLists,
  Segment,
  SegmentBuilder,
  type SegmentParts,
  type StandingDocuments,
  withSpare,
} from './segment.js';
export { grownFloats, sharedBytes, sharedFloats, sharedIntegers, sharedWords } from './shared-array.js';
export { linesOf, StringArena } from './string-arena.js';
export { TopKHeap, type DocumentSum } from './top-k-heap.js';
