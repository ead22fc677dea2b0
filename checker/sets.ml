(* Perfect play in Divisors/Multiples by all sets of taken numbers, from the last stop back: found here, and proven right by Check.

   For each set and each current number, taken or not, it is found by how much each score still changes. A set is a number with a bit
   for each of 2, ..., r. All of it is kept in one text, with the same number of bytes for each set and number.

   Likings are compared as integers here: the wishes of the mover and of the next players are their digits to a base, and at last the
   total of what is paid is taken off. *)

(* How many bytes the result of a position takes, and how many bits each player's payments; two players have a difference. *)
let layout players = match players with 2 -> (2, 0) | 3 -> (4, 10) | _ -> (8, 62 / players)

let num_bytes r players = (r lsl (r - 1)) * fst (layout players)

let base players = 1 lsl (61 / players)

(* Fills `kept`; gives what Check asks for: by a set, and by a current number, the changes of the scores, or that of the difference. *)
let found r players kept =
  let width, bits = layout players and base = base players in
  let get, put =
    match width with
    | 2 -> ((fun i -> Bytes.get_int16_le kept (2 * i)), fun i v -> Bytes.set_int16_le kept (2 * i) v)
    | 4 ->
        let get i = Int32.to_int (Bytes.get_int32_le kept (4 * i)) in
        (get, fun i v -> Bytes.set_int32_le kept (4 * i) (Int32.of_int v))
    | _ ->
        let get i = Int64.to_int (Bytes.get_int64_le kept (8 * i)) in
        (get, fun i v -> Bytes.set_int64_le kept (8 * i) (Int64.of_int v))
  in
  let paid result q = (result lsr (q * bits)) land ((1 lsl bits) - 1) in
  let scores result = if players = 2 then [ result ] else List.init players (paid result) in
  (* how a payment of 1 by each player changes a result, and how the mover likes that *)
  let unit = Array.init players (fun q -> if players = 2 then 1 - (2 * q) else 1 lsl (q * bits)) in
  let liked =
    let wish mover q i = if (mover + i) mod players = q then 1 - players else 1 in
    let joined mover q = List.fold_left (fun sum i -> (sum * base) + wish mover q i) 0 (List.init (players - 1) Fun.id) in
    Array.init players (fun mover -> Array.init players (fun q -> (joined mover q * base) - 1))
  in
  let liking mover result =
    if players = 2 then -result * unit.(mover)
    else (
      let sum = ref 0 in
      for q = 0 to players - 1 do
        sum := !sum + (liked.(mover).(q) * paid result q)
      done;
      !sum)
  in
  let beside =
    Array.init (r + 1) (fun x ->
        let ratio y = if x > 0 && (x mod y = 0 || y mod x = 0) then Some (y, max x y / min x y) else None in
        Array.of_list (List.filter_map ratio (List.init r succ)))
  in
  let result = Array.make (r + 1) 0 and liked_so = Array.make (r + 1) 0 in
  let after = Array.make (r + 1) 0 and liked_after = Array.make (r + 1) 0 in
  let all = (1 lsl (r - 1)) - 1 in
  for set = all - 1 downto 0 do
    let rec count set = if set = 0 then 0 else 1 + count (set land (set - 1)) in
    let mover = count set mod players in
    let pays = unit.(mover) in
    let likes = liking mover pays in
    let is_taken y = y = 1 || (set lsr (y - 2)) land 1 = 1 in
    for y = 1 to r do
      liked_so.(y) <- min_int;
      if not (is_taken y) then (
        let next = set lor (1 lsl (y - 2)) in
        after.(y) <- (if next = all then 0 else get ((next * r) + y - 1));
        liked_after.(y) <- liking mover after.(y))
    done;
    let better x cost after liked =
      let liked = liked + (cost * likes) in
      liked > liked_so.(x)
      && (liked_so.(x) <- liked;
          result.(x) <- after + (cost * pays);
          true)
    in
    for x = 1 to r do
      Array.iter (fun (y, ratio) -> if not (is_taken y) then ignore (better x ratio after.(y) liked_after.(y))) beside.(x)
    done;
    let is_changed = ref true in
    while !is_changed do
      is_changed := false;
      for x = 1 to r do
        Array.iter
          (fun (y, ratio) ->
            let cost = if is_taken y then 2 * ratio else ratio in
            if liked_so.(y) > min_int && better x cost result.(y) liked_so.(y) then is_changed := true)
          beside.(x)
      done
    done;
    for x = 1 to r do
      put ((set * r) + x - 1) result.(x)
    done
  done;
  let rec number bits = match bits with [] -> 0 | bit :: rest -> (2 * number rest) + if bit then 1 else 0 in
  fun taken ->
    let first = number (List.tl (List.tl taken)) * r in
    fun x -> scores (get (first + x - 1))

(* None where it would take more bytes, or numbers would be too large. *)
let still r players ~most =
  (* a turn costs less than 3 r, since it can go by 1 *)
  let is_small = r <= 40 && num_bytes r players <= most && 6 * r * (r - 1) * players < base players in
  if not is_small then None
  else match Bytes.create (num_bytes r players) with exception Out_of_memory -> None | kept -> Some (found r players kept)
