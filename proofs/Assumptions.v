(* What each theorem assumes: nothing. `make proofs` fails if Coq prints anything but "Closed under the global context". *)
From Quet Require Import Game PlussesMinusesValues PalindromesExchange PalindromesFast PalindromesPairings
  PalindromesSearch PalindromesAvoiding PalindromesValues SumsGridCounting
  SumsGridValues SumsGridThree SumsGridFewWasted SumsGridWaves UpAndUpComplete UpAndUpLowest Many Tables TablesOfMany TablesOfGames Weak WeakOfGames
  BlobChecker DivisorsMultiplesChecker DivisorsMultiplesMany DivisorsMultiplesManyChecker DivisorsMultiplesManySets DivisorsMultiplesTwo
  ConvolutedCoprimalityChecker Refutations Solitaires UpAndUpScores UpAndUpTables UpAndUpGames SumsGridChecker SequenceAscension
  SequenceAscensionGames SequenceAscensionClauses.

Print Assumptions at_least_at_most.
Print Assumptions leads_to_one.
Print Assumptions Theorem_1.
Print Assumptions Theorem_2.
Print Assumptions Lemma_1.
Print Assumptions pairing_holds.
Print Assumptions stays_below_right.
Print Assumptions search_reaches.
Print Assumptions avoiding_holds.
Print Assumptions avoiding_at_most.
Print Assumptions avoiding_at_least.
Print Assumptions is_right_holds.
Print Assumptions Theorem_3_even.
Print Assumptions Theorem_3_odd.
Print Assumptions search_is_complete.
Print Assumptions Theorem_4.
Print Assumptions Lemma_4.
Print Assumptions Theorem_5.
Print Assumptions Theorem_5_three.
Print Assumptions few_wasted.
Print Assumptions counting_bounds.
Print Assumptions wave_bound.
Print Assumptions block_bound.
Print Assumptions Theorem_6_half.
Print Assumptions Theorem_6.
Print Assumptions wave_bounds.
Print Assumptions table_value.
Print Assumptions table_leads.
Print Assumptions pal_table_value.
Print Assumptions pm_table_value.
Print Assumptions pal_bounds.
Print Assumptions weak_holds.
Print Assumptions pal_weak_holds.
Print Assumptions pm_weak_holds.
Print Assumptions pm_bounds.
Print Assumptions mirror_holds.
Print Assumptions blob_table_value.
Print Assumptions blob_weak_holds.
Print Assumptions blob_bounds.
Print Assumptions strategy_holds.
Print Assumptions dm_weak_holds.
Print Assumptions cc_leads_to_one.
Print Assumptions cc_table_leads.
Print Assumptions cc_value.
Print Assumptions dmm_leads_to_one.
Print Assumptions dmm_table_leads.
Print Assumptions dmm_sets_lead.
Print Assumptions dmm_two_holds.
Print Assumptions refuted.
Print Assumptions score_of_reached.
Print Assumptions up_bounds.
Print Assumptions up_table_value.
Print Assumptions none_shorter_right.
Print Assumptions sums_bounds.
Print Assumptions sums_below.
Print Assumptions sums_searched.
Print Assumptions asc_bounds.
Print Assumptions first_in_eighth.
Print Assumptions game_obeys.
Print Assumptions asc_refuted.
