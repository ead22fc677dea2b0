(* Theorem 3 of docs/proofs.md for the m that take too long inside Coq: quet-theorem3 FROM TO.

   `theorem_3` is extracted; `is_right_holds` in proofs/PalindromesValues.v proves that the theorem holds for m if it says so. *)
let () =
  let number i = if i < Array.length Sys.argv then int_of_string_opt Sys.argv.(i) else None in
  match (number 1, number 2) with
  | Some first, Some last ->
      for m = first to last do
        let holds = Extracted.theorem_3 m in
        Printf.printf "Theorem 3 for m = %d: %s\n%!" m (if holds then "holds" else "fails");
        if not holds then exit 1
      done
  | _ ->
      prerr_endline "Usage: quet-theorem3 FROM TO";
      exit 2
